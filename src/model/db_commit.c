#include "model/db.h"

#include <math.h>

double
db_group_commit_cycle(double n, double w, double f)
{
	double alone = w + f;
	if (n <= 1 || alone <= 0)
		return alone;
	if (n < 2) /* between one client and two alternating groups */
		return alone + (n - 1) * (db_group_commit_cycle(2, w, f) - alone);
	double u = fmin(1, n * f / alone);
	double a = w + f * (1 + u * (n - 1) / (2 * n)), b = 2 * f, top = fmax(a, b);
	return top * pow(pow(a / top, 6) + pow(b / top, 6), 1.0 / 6);
}
