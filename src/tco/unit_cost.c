#include "tco/unit_cost.h"

#include <math.h>

double
unit_cost_of_rate(double monthly, double tps)
{
	if (!(tps > 0))
		return NAN;
	return monthly / (tps * 60 / 1000);
}

double
unit_cost_of_work(double monthly, double tps, double utilisation, double hours)
{
	if (!(tps > 0) || !(utilisation > 0) || !(hours > 0))
		return NAN;
	return monthly * 1000 / (tps * utilisation * hours * 3600);
}

double
unit_cost_rate_for(double monthly, double per_ktpm_month)
{
	if (!(per_ktpm_month > 0))
		return NAN;
	return monthly / per_ktpm_month * 1000 / 60;
}
