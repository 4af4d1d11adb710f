/* SPDX-License-Identifier: MIT */
#include "ensemble/statistics.h"

#include <math.h>

static const double levels[NH_QUANTILES] = {0.05, 0.25, 0.5, 0.75, 0.95};

double nh_quantile_level(int number)
{
    return number >= 0 && number < NH_QUANTILES ? levels[number] : (double)NAN;
}

/* Lets x[root] sink to its place in a heap of `count` numbers whose largest is first. */
static void sink(double *x, long long root, long long count)
{
    const double value = x[root];
    for (long long child = 2 * root + 1; child < count; child = 2 * root + 1) {
        if (child + 1 < count && x[child + 1] > x[child])
            child++;
        if (x[child] <= value)
            break;
        x[root] = x[child];
        root = child;
    }
    x[root] = value;
}

static void sort(double *x, long long count)
{
    for (long long i = count / 2 - 1; i >= 0; i--)
        sink(x, i, count);
    for (long long last = count - 1; last > 0; last--) {
        const double largest = x[0];
        x[0] = x[last];
        x[last] = largest;
        sink(x, 0, last);
    }
}

double nh_between(double a, double b, double fraction)
{
    const double length = b - a;
    if (isfinite(length))
        return a + fraction * length;
    return fraction > 0 ? (1 - fraction) * a + fraction * b : a;
}

static double quantile(const double *sorted, long long count, double level)
{
    const double place = (double)(count - 1) * level, below = floor(place);
    const long long i = (long long)below;
    return i + 1 < count ? nh_between(sorted[i], sorted[i + 1], place - below) : sorted[i];
}

/* Of (scale (x - centre))^power. */
static double sum(const double *x, long long count, double centre, int power, double scale)
{
    double all = 0;
    for (long long i = 0; i < count; i++) {
        const double part = scale * (x[i] - centre);
        all += power == 2 ? part * part : part;
    }
    return all;
}

/* The sum divided by `by`: that may be a double where the sum is none, which is then made of small parts. */
static double share(const double *x, long long count, double centre, int power, double by)
{
    enum { BITS = 64 };
    const double all = sum(x, count, centre, power, 1);
    return isfinite(all) ? all / by : ldexp(sum(x, count, centre, power, ldexp(1, -BITS)) / by, power * BITS);
}

static void find_moments(const double *x, long long count, nh_statistics *out)
{
    out->mean = share(x, count, 0, 1, (double)count);
    out->mean_square = share(x, count, 0, 2, (double)count);
    out->variance = count > 1 ? share(x, count, out->mean, 2, (double)(count - 1)) : (double)NAN;
}

void nh_statistics_of(const double *values, long long count, double *room, nh_statistics *out)
{
    *out = (nh_statistics){.mean = NAN, .variance = NAN, .mean_square = NAN, .smallest = NAN, .largest = NAN};
    for (long long i = 0; i < count; i++)
        if (!isnan(values[i]))
            room[out->count++] = values[i];
    for (int k = 0; k < NH_QUANTILES; k++)
        out->quantile[k] = NAN;
    if (out->count == 0)
        return;
    find_moments(room, out->count, out);
    sort(room, out->count);
    out->smallest = room[0];
    out->largest = room[out->count - 1];
    for (int k = 0; k < NH_QUANTILES; k++)
        out->quantile[k] = quantile(room, out->count, levels[k]);
}
