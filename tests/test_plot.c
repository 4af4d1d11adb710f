/* SPDX-License-Identifier: MIT */
/* Figures: scripts, thinning, pictures by gnuplot, previews. */
#define _XOPEN_SOURCE 700
#include "test.h"

#include "io/axis.h"
#include "io/script.h"
#include "io/thin.h"

#include <nonholo/nonholo.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static nh_figure *one_panel(const nh_panel_options *options, const double *x, const double *y, size_t count)
{
    nh_figure *figure = nh_figure_new(NULL, NULL, 1);
    nh_figure_series(figure, nh_figure_panel(figure, options), "curve", x, y, count, NH_PLOT_LINE);
    return figure;
}

/* The script of a figure; the caller frees it. */
static char *script_of(const nh_figure *figure)
{
    nh_text text = {0};
    nh_script_write(figure, NH_PICTURE_SCRIPT, &text);
    CHECK(!text.failed);
    return text.data;
}

static bool has(const char *text, const char *part)
{
    return text && strstr(text, part) != NULL;
}

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static size_t read_file(const char *path, char *buffer, size_t size)
{
    FILE *file = fopen(path, "rb");
    size_t got = file ? fread(buffer, 1, size - 1, file) : 0;
    buffer[got] = '\0';
    if (file)
        fclose(file);
    return got;
}

static bool gnuplot_is_there(void)
{
    return system("command -v gnuplot >/dev/null 2>&1") == 0;
}

/* ---- Scripts ---- */

TEST(script)
{
    const double x[] = {0, 0.1, 2}, y[] = {1, -1, 3};
    nh_figure *figure = nh_figure_new("Title", "Caption", 2);
    int panel = nh_figure_panel(figure, &(nh_panel_options){.title = "panel", .x_label = "t [s]", .y_label = "x [m]"});
    CHECK_EQ_INT(panel, 0);
    CHECK_EQ_INT(nh_figure_series(figure, panel, "curve", x, y, 3, NH_PLOT_LINE_POINTS), 0);
    nh_figure_width(figure, panel, 0, 2.5);
    char *script = script_of(figure);
    CHECK(has(script, "$panel1_1 << EOD\n0 1\n0.10000000000000001 -1\n2 3\nEOD\n"));
    CHECK(has(script, "plot $panel1_1 using 1:2 with linespoints lw 2.5"));
    CHECK(has(script, "title 'curve'"));
    CHECK(has(script, "'Title' noenhanced at screen"));
    CHECK(has(script, "'Caption' noenhanced at screen"));
    CHECK(has(script, "set xlabel 't [s]' noenhanced"));
    CHECK(has(script, "unset logscale y"));
    free(script);
    nh_figure_free(figure);
}

TEST(texts_are_quoted)
{
    const double x[] = {0, 1};
    nh_figure *figure = nh_figure_new("it's \"q_1'\" `date` @x \\n", "two\nlines \xff", 1);
    int panel = nh_figure_panel(figure, &(nh_panel_options){.y_label = "\u00b5 \u03b8\u00b2 \u2212 q[2]'\t{a}^b"});
    nh_figure_series(figure, panel, "a'b", x, x, 2, NH_PLOT_LINE);
    char *script = script_of(figure);
    CHECK(has(script, "'it''s \"q_1''\" `date` @x \\n' noenhanced"));
    CHECK(has(script, "set ylabel '\u00b5 \u03b8\u00b2 \u2212 q[2]'' {a}^b' noenhanced"));
    CHECK(has(script, "'two' noenhanced"));
    CHECK(has(script, "'lines ?' noenhanced"));
    CHECK(has(script, "title 'a''b'"));
    free(script);
    nh_figure_free(figure);
}

/* A fixed margin would put a legend on the right over the data. */
TEST(legends)
{
    const double x[] = {0, 1};
    nh_figure *figure = one_panel(&(nh_panel_options){.legend = NH_LEGEND_RIGHT}, x, x, 2);
    char *script = script_of(figure);
    CHECK(has(script, "outside top right vertical") && has(script, "unset rmargin") && !has(script, "rmargin 4"));
    free(script);
    nh_figure_free(figure);
    figure = one_panel(&(nh_panel_options){.legend = NH_LEGEND_NONE}, x, x, 2);
    script = script_of(figure);
    CHECK(has(script, "unset key") && has(script, "set rmargin 4"));
    free(script);
    nh_figure_free(figure);
}

TEST(captions_wrap)
{
    char caption[2000] = "";
    for (int i = 0; i < 100; i++)
        strcat(caption, "word ");
    nh_figure *figure = nh_figure_new(NULL, caption, 1);
    nh_figure_panel(figure, NULL);
    char *script = script_of(figure);
    CHECK(has(script, "set label 41 'word word"));
    CHECK(has(script, "set label 46 'word word"));
    CHECK(!has(script, "set label 47"));
    free(script);
    nh_figure_free(figure);
}

TEST(gaps)
{
    const double x[] = {0, 1, 2, 3, 4, 5, 6}, y[] = {NAN, 1, NAN, INFINITY, 2, 3, 1e301};
    nh_figure *figure = one_panel(NULL, x, y, 7);
    char *script = script_of(figure);
    /* the lone point is there twice, which makes a dot */
    CHECK(has(script, "<< EOD\n1 1\n1 1\n\n4 2\n5 3\nEOD\n"));
    free(script);
    nh_figure_free(figure);
}

TEST(log_axes)
{
    const double x[] = {0, 1, 2, 3}, y[] = {0, 1e-12, -1, 1e-3}, zero[] = {0, 0, 0, 0}, minus[] = {-1, 0, 0, 0};
    nh_panel_options log = {.log_y = 1};
    nh_figure *figure = one_panel(&log, x, y, 4);
    nh_figure_series(figure, 0, "none", x, zero, 4, NH_PLOT_LINE);
    char *script = script_of(figure);
    CHECK(has(script, "<< EOD\n1 9.9999999999999998e-13\n3 0.001"));
    CHECK(has(script, "set logscale y"));
    CHECK(has(script, "set format y '10^{%T}'"));
    CHECK(has(script, "NaN with lines"));
    CHECK(has(script, "title 'none (0 to round-off)'"));
    free(script);
    nh_figure_free(figure);

    figure = one_panel(&log, x, zero, 4);
    script = script_of(figure);
    CHECK(has(script, "set label 100 '0 to round-off' at graph 0.5,0.5"));
    free(script);
    nh_figure_free(figure);

    figure = one_panel(&log, x, minus, 4);
    script = script_of(figure);
    CHECK(has(script, "set label 100 'nothing positive'"));
    free(script);
    nh_figure_free(figure);
}

TEST(log_tics_are_powers_of_ten)
{
    const double x[] = {400, 4e5}, y[] = {3e-10, 1};
    nh_figure *figure = one_panel(&(nh_panel_options){.log_x = 1, .log_y = 1}, x, y, 2);
    char *script = script_of(figure);
    CHECK(has(script, "set xtics 1e2,1e1\n"));
    CHECK(has(script, "set ytics 1e-10,1e2\n"));
    free(script);
    nh_figure_free(figure);
}

TEST(short_log_axes_have_numbers)
{
    const double x[] = {0.05, 0.09}, y[] = {3e-7, 4e-7};
    nh_figure *figure = one_panel(&(nh_panel_options){.log_x = 1, .log_y = 1}, x, y, 2);
    char *script = script_of(figure);
    CHECK(has(script, "'' 4e-2 1, '0.05' 5e-2 0, '' 6e-2 1"));
    CHECK(has(script, "'0.1' 1e-1 0"));
    CHECK(has(script, "'2·10^{−7}' 2e-7 0"));
    CHECK(has(script, "'10^{−6}' 1e-6 0"));
    free(script);
    nh_figure_free(figure);
}

TEST(close_numbers_keep_their_digits)
{
    const double x[] = {0, 1, 2}, y[] = {1, 1 + 1e-9, 1 + 2e-9};
    nh_figure *figure = one_panel(NULL, x, y, 3);
    char *script = script_of(figure);
    CHECK(has(script, "set format y '%.11g'"));
    CHECK(has(script, "set format x '%h'"));
    free(script);
    nh_figure_free(figure);
}

/* Ranges are never empty, whatever the data. */
TEST(ranges)
{
    const double values[] = {0, 1, -5, 1e-300, 1e300, 5e-324, 1e15, -1e-200};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        for (size_t j = 0; j < sizeof values / sizeof *values; j++)
            for (int log = 0; log <= 1; log++) {
                double x[] = {values[i], values[j]};
                nh_figure *figure = one_panel(&(nh_panel_options){.log_x = log, .log_y = log}, x, x, 2);
                nh_frame frame = nh_frame_of(&figure->panels[0]);
                CHECK(frame.x.low < frame.x.high && isfinite(frame.x.high - frame.x.low));
                CHECK(frame.y.low < frame.y.high && isfinite(frame.y.high - frame.y.low));
                CHECK(frame.drawn > 0 || frame.excuse);
                nh_figure_free(figure);
            }
}

/* ---- Thinning ---- */

enum { LONG = 1000000 };

static size_t thinned(const double *x, const double *y, nh_plot_style style, double *low, double *high)
{
    nh_panel panel = {.title = ""};
    nh_series series = {.label = "", .x = x, .y = y, .count = LONG, .style = style};
    panel.series = &series;
    panel.count = 1;
    nh_frame frame = nh_frame_of(&panel);
    nh_stroke stroke = {0};
    nh_stroke_of(&panel, &series, &frame, &stroke);
    CHECK(!stroke.failed);
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t i = 0; i < stroke.count; i++) {
        *low = fmin(*low, stroke.y[i]);
        *high = fmax(*high, stroke.y[i]);
    }
    size_t count = stroke.count;
    nh_stroke_free(&stroke);
    return count;
}

TEST(long_curves_keep_extremes)
{
    double *x = malloc(LONG * sizeof *x), *y = malloc(LONG * sizeof *y), low, high;
    for (int i = 0; x && y && i < LONG; i++) {
        x[i] = i * 1e-3;
        y[i] = sin(i * 0.7);
    }
    y[123456] = 50;
    y[654321] = -70;
    size_t count = thinned(x, y, NH_PLOT_LINE, &low, &high);
    CHECK(count > 2048 && count <= 4 * 2048);
    CHECK_NEAR(high, 50, 0);
    CHECK_NEAR(low, -70, 0);

    /* a path round and round */
    for (int i = 0; i < LONG; i++) {
        x[i] = cos(i * 0.1);
        y[i] = sin(i * 0.1);
    }
    count = thinned(x, y, NH_PLOT_LINE, &low, &high);
    CHECK(count > 50 && count < 100000);
    CHECK_NEAR(high, 1, 1e-3);
    count = thinned(x, y, NH_PLOT_POINTS, &low, &high);
    CHECK(count > 100 && count < 50000);
    CHECK_NEAR(low, -1, 1e-3);

    /* out and back on straight lines: their ends are kept */
    for (int i = 0; i < LONG; i++) {
        double reach = fabs(fmod(i * 1e-3, 2) - 1), angle = floor(i * 0.5e-3) * 0.1;
        x[i] = reach * cos(angle);
        y[i] = reach * sin(angle);
    }
    count = thinned(x, y, NH_PLOT_LINE, &low, &high);
    CHECK(count > 100 && count < 20000);
    CHECK_NEAR(high, 1, 1e-3);
    CHECK_NEAR(low, -1, 1e-3);
    free(x);
    free(y);
}

/* ---- Pictures ---- */

static nh_figure *sample(void)
{
    double x[50], y[50], zero[50] = {0};
    for (int i = 0; i < 50; i++) {
        x[i] = i;
        y[i] = 1e-3 * i * i;
    }
    nh_figure *figure = nh_figure_new("a & b <c> \u03b8", "caption", 2);
    nh_figure_series(figure, nh_figure_panel(figure, NULL), "q[1]'", x, y, 50, NH_PLOT_LINE);
    nh_figure_series(figure, nh_figure_panel(figure, &(nh_panel_options){.equal_aspect = 1}), "", x, y, 50,
                     NH_PLOT_POINTS);
    nh_figure_series(figure, nh_figure_panel(figure, &(nh_panel_options){.log_y = 1, .log_x = 1}), "", x, y, 50,
                     NH_PLOT_IMPULSES);
    nh_figure_series(figure, nh_figure_panel(figure, &(nh_panel_options){.log_y = 1}), "zero", x, zero, 50,
                     NH_PLOT_LINE);
    nh_figure_series(figure, nh_figure_panel(figure, &(nh_panel_options){.legend = NH_LEGEND_RIGHT}), "empty", NULL,
                     NULL, 0, NH_PLOT_LINE_POINTS);
    nh_figure_panel(figure, NULL);
    return figure;
}

static void expect_picture(const char *path, const char *magic, size_t length)
{
    char buffer[64] = "";
    nh_error error = {0};
    nh_figure *figure = sample();
    remove(path);
    if (!CHECK_EQ_INT(nh_figure_write(figure, path, &error), NH_OK))
        printf("    %s\n", error.message);
    CHECK(read_file(path, buffer, sizeof buffer) > length && !memcmp(buffer, magic, length));
    remove(path);
    nh_figure_free(figure);
}

TEST(pictures)
{
    expect_picture("plot_test.gp", "# gnuplot ", 10);
    if (!gnuplot_is_there()) {
        printf("no gnuplot: pictures are not tested\n");
        return;
    }
    expect_picture("plot_test.svg", "<?xml version=", 14);
    expect_picture("plot test 'quoted'.png", "\x89PNG\r\n\x1a\n", 8);
    expect_picture("plot_test.pdf", "%PDF-", 5);
}

/* Numbers at the limits of doubles must not make gnuplot fail. */
TEST(extreme_numbers)
{
    const double values[][2] = {{0, 0},         {1e300, -1e300},  {1e-300, 2e-300},  {5e-324, 0},
                                {1, 1 + 1e-15}, {1e15, 1e15 + 1}, {-1e-200, 1e-200}, {1e-300, 1e300}};
    const double x[] = {0, 1};
    if (!gnuplot_is_there())
        return;
    nh_figure *figure = nh_figure_new(NULL, NULL, 4);
    for (int log = 0; log <= 1; log++)
        for (size_t i = 0; i < sizeof values / sizeof *values; i++)
            nh_figure_series(figure, nh_figure_panel(figure, &(nh_panel_options){.log_y = log}), "y", x, values[i], 2,
                             NH_PLOT_LINE);
    nh_error error = {0};
    if (!CHECK_EQ_INT(nh_figure_write(figure, "plot_extreme.svg", &error), NH_OK))
        printf("    %s\n", error.message);
    remove("plot_extreme.svg");
    nh_figure_free(figure);
}

static void expect_failure(const nh_figure *figure, const char *path, nh_status status, const char *message)
{
    nh_error error = {0};
    CHECK_EQ_INT(nh_figure_write(figure, path, &error), status);
    CHECK_EQ_INT(error.status, status);
    if (!CHECK(has(error.message, message)))
        printf("    %s\n", error.message);
    CHECK(!has(error.message, "\n"));
    CHECK(!exists(path));
}

/* A program of the name gnuplot in a directory of its own, which takes the place of PATH. */
static void pretend_gnuplot(const char *program)
{
    mkdir("plot_path", 0777);
    FILE *file = fopen("plot_path/gnuplot", "w");
    if (!CHECK(file != NULL))
        return;
    fprintf(file, "#!/bin/sh\n%s\n", program);
    fclose(file);
    chmod("plot_path/gnuplot", 0755);
    setenv("PATH", "plot_path", 1);
}

TEST(gnuplot_missing_or_failing)
{
    char *path = strdup(getenv("PATH") ? getenv("PATH") : "");
    nh_figure *figure = sample();
    setenv("PATH", "/nonexistent", 1);
    expect_failure(figure, "plot_none.svg", NH_FILE, "install");
    pretend_gnuplot("echo 'plot: everything is wrong' >&2; exit 1");
    expect_failure(figure, "plot_none.svg", NH_FILE, "plot: everything is wrong");
    pretend_gnuplot("kill -9 $$");
    expect_failure(figure, "plot_none.svg", NH_FILE, "signal 9");
    pretend_gnuplot("echo '<?xml half of a picture'");
    expect_failure(figure, "plot_none.svg", NH_FILE, "cut off");
    remove("plot_path/gnuplot");
    rmdir("plot_path");
    setenv("PATH", path, 1);
    free(path);
    nh_figure_free(figure);
}

/* gnuplot itself does not notice. */
TEST(full_disk)
{
    struct rlimit before;
    if (!gnuplot_is_there())
        return;
    nh_figure *figure = sample();
    getrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){20000, before.rlim_max});
    expect_failure(figure, "plot_full.svg", NH_FILE, "cannot write plot_full.svg: gnuplot's picture is cut off");
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){1000, before.rlim_max});
    expect_failure(figure, "plot_full.gp", NH_FILE, "cannot write plot_full.gp: ");
    setrlimit(RLIMIT_FSIZE, &before);
    nh_figure_free(figure);
}

TEST(wrong_files_and_calls)
{
    nh_figure *figure = sample();
    expect_failure(figure, "plot_test.jpeg", NH_USAGE, ".svg, .png, .pdf or .gp");
    expect_failure(figure, "plot_test", NH_USAGE, ".svg");
    expect_failure(figure, "/nonexistent/plot.gp", NH_FILE, "cannot write /nonexistent/plot.gp");
    nh_figure_free(figure);

    expect_failure(NULL, "plot_test.svg", NH_MEMORY, "memory");
    figure = nh_figure_new(NULL, NULL, 0);
    expect_failure(figure, "plot_test.svg", NH_USAGE, "columns");
    nh_figure_free(figure);
    figure = nh_figure_new(NULL, NULL, 1);
    expect_failure(figure, "plot_test.svg", NH_USAGE, "no panel");
    CHECK_EQ_INT(nh_figure_series(figure, 0, "", NULL, NULL, 0, NH_PLOT_LINE), -1);
    CHECK_EQ_INT(nh_figure_panel(figure, NULL), -1);
    expect_failure(figure, "plot_test.svg", NH_USAGE, "no such panel");
    nh_figure_free(figure);
    figure = nh_figure_new(NULL, NULL, 1);
    nh_figure_panel(figure, &(nh_panel_options){.equal_aspect = 1, .log_x = 1});
    expect_failure(figure, "plot_test.svg", NH_USAGE, "equal units");
    nh_figure_free(figure);
}

/* ---- Previews ---- */

static void expect_preview(const nh_figure *figure, nh_preview_style style, int width, int height, const char *want)
{
    char *text = NULL;
    nh_error error = {0};
    CHECK_EQ_INT(nh_figure_preview(figure, style, width, height, &text, &error), NH_OK);
    CHECK_STR(text, want);
    nh_text_release(text);
}

TEST(preview_ascii)
{
    const double x[] = {0, 1, 2, 3, 4}, y[] = {0, 1, 2, 3, 4};
    nh_figure *figure = nh_figure_new("title", NULL, 1);
    int panel = nh_figure_panel(figure, &(nh_panel_options){.title = "panel", .x_label = "t"});
    nh_figure_series(figure, panel, "up", x, y, 5, NH_PLOT_LINE);
    nh_figure_series(figure, panel, "dots", x, (const double[]){4, NAN, 4, NAN, NAN}, 5, NH_PLOT_POINTS);
    expect_preview(figure, NH_PREVIEW_ASCII, 32, 5,
                   "title\n"
                   "\n"
                   "panel\n"
                   "      4.2 | +        +      ***\n"
                   "          |             ****\n"
                   "          |        *****\n"
                   "          |   *****\n"
                   "     -0.2 | **\n"
                   "          +---------------------\n"
                   "           -0.12     t      4.12\n"
                   "           * up  + dots\n");
    nh_figure_free(figure);
}

TEST(preview_braille)
{
    const double x[] = {0, 1}, y[] = {0, 1};
    nh_figure *figure = one_panel(NULL, x, y, 2);
    char *text = NULL;
    CHECK_EQ_INT(nh_figure_preview(figure, NH_PREVIEW_BRAILLE, 40, 4, &text, NULL), NH_OK);
    CHECK(has(text, "\u2502"));
    CHECK(has(text, "1.05 \u2502"));
    CHECK(has(text, "-0.05 \u2502\u2824"));
    nh_text_release(text);
    nh_figure_free(figure);
}

/* No line is wider than asked for, whatever is in the figure. */
TEST(preview_widths)
{
    nh_figure *figure = sample();
    const double x[] = {0, 1}, y[] = {1, 1 + 1e-12};
    int panel = nh_figure_panel(figure, &(nh_panel_options){.title = "a title that is much longer than the narrowest "
                                                                     "terminal \u03b8\u03b8\u03b8",
                                                            .x_label = "a label that is also much too long"});
    nh_figure_series(figure, panel, "a curve with a long name in the legend", x, y, 2, NH_PLOT_LINE);
    for (int width = 24; width < 100; width++)
        for (int style = 0; style <= 1; style++) {
            char *text = NULL;
            int column = 0, widest = 0;
            CHECK_EQ_INT(nh_figure_preview(figure, (nh_preview_style)style, width, 7, &text, NULL), NH_OK);
            for (const char *c = text; c && *c; c++) {
                column = *c == '\n' ? 0 : column + (((unsigned char)*c & 0xC0) != 0x80);
                widest = column > widest ? column : widest;
            }
            CHECK(widest <= width);
            CHECK(has(text, "0 to round-off"));
            CHECK(has(text, "no data"));
            nh_text_release(text);
        }
    char *text = NULL;
    nh_error error = {0};
    CHECK_EQ_INT(nh_figure_preview(figure, NH_PREVIEW_ASCII, 10, 7, &text, &error), NH_USAGE);
    CHECK(text == NULL);
    nh_figure_free(figure);
}

TEST_MAIN(RUN(script), RUN(texts_are_quoted), RUN(legends), RUN(captions_wrap), RUN(gaps), RUN(log_axes),
          RUN(log_tics_are_powers_of_ten), RUN(short_log_axes_have_numbers), RUN(close_numbers_keep_their_digits),
          RUN(ranges), RUN(long_curves_keep_extremes), RUN(pictures), RUN(extreme_numbers),
          RUN(gnuplot_missing_or_failing), RUN(full_disk), RUN(wrong_files_and_calls), RUN(preview_ascii),
          RUN(preview_braille), RUN(preview_widths))
