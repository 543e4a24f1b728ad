#include "tco/say.h"

#include <math.h>
#include <stdio.h>

#include "base/units.h"

static const char *
or_empty(const char *text)
{
	return text ? text : "";
}

const char *
say_money(struct arena *a, double amount, const char *currency)
{
	char text[48];
	units_money_text(amount, 2, text);
	return or_empty(
		isnan(amount) ? arena_strdup(a, text) : arena_printf(a, "%s %s", text, currency));
}

const char *
say_number(struct arena *a, double number)
{
	char text[48];
	if (number == floor(number))
		units_money_text(number, 0, text);
	else
		snprintf(text, sizeof(text), "%.6g", number);
	return or_empty(arena_strdup(a, text));
}

const char *
say_percent(struct arena *a, double share)
{
	return or_empty(arena_printf(a, "%.4g %%", share * 100));
}
