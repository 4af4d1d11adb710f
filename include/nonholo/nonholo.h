/* SPDX-License-Identifier: MIT */
/** The whole public interface of the library. */
#ifndef NONHOLO_NONHOLO_H
#define NONHOLO_NONHOLO_H

#include <nonholo/claims.h>
#include <nonholo/ensemble.h>
#include <nonholo/export.h>
#include <nonholo/measure.h>
#include <nonholo/model.h>
#include <nonholo/plot.h>
#include <nonholo/report.h>
#include <nonholo/sim.h>
#include <nonholo/status.h>
#include <nonholo/system.h>
#include <nonholo/table.h>
#include <nonholo/text.h>
#include <nonholo/version.h>

#endif
