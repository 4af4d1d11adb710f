/* SPDX-License-Identifier: MIT */
/* A model from a text, and what it is. */
#include <nonholo/nonholo.h>
#include <stdio.h>
#include <string.h>

static const char text[] = "name        Skater on a slope\n"
                           "coordinates x, y, theta\n"
                           "parameters  m = 1, I = 0.5, g = 1\n"
                           "lagrangian  m/2*(x'^2 + y'^2) + I/2*theta'^2 + m*g*x\n"
                           "constraint  x'*sin(theta) - y'*cos(theta) = 0\n"
                           "initial     x' = 1, theta' = 2\n";

int main(void)
{
    nh_model *model = NULL;
    nh_error error;
    char *report = NULL, message[1024];
    int well_posed = 0;
    nh_status status = nh_model_parse(text, strlen(text), "skater", NULL, &model, &error);
    if (status == NH_OK)
        status = nh_check(model, NH_FORMAT_TEXT, &well_posed, &report, &error);
    if (status == NH_OK) {
        printf("%s", report);
    } else {
        nh_error_format(&error, message, sizeof message);
        fprintf(stderr, "%s\n", message);
    }
    nh_text_release(report);
    nh_model_free(model);
    return status != NH_OK || !well_posed;
}
