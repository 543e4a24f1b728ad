# latency.gp - latency against outstanding I/O, drawn by report/chart.c.
#
# Given before this script: data blocks $lines $points $bands (x y y2; series two empty lines apart);
# NAME_n, NAME_name[i], NAME_dash[i], NAME_at[i] for line, point, band, hline, vline; x_min x_max y_min
# y_max; measured_max (-1: unknown); x_title y_title.  Names are placeholders that the program replaces.
#
# Colours are sentinels: rgb 1,2,N is class fN or sN of reports/html/style.css (list there).
set terminal svg size 760,400 dynamic font "sans-serif,13" noenhanced
set encoding utf8
set logscale x 2
set logscale y 10
set xrange [x_min / 1.12 : x_max * 1.12]
set yrange [y_min : y_max]
set format x "%g"
set format y "%g"
set xtics nomirror tc rgb '#010202'
set ytics nomirror tc rgb '#010202'
set tics out
if (y_max / y_min < 300) {
	set ytics add (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, \
		"10,000" 1e4, "20,000" 2e4, "50,000" 5e4, "100,000" 1e5, "200,000" 2e5, "500,000" 5e5)
}
set border 3 lc rgb '#010202'
set grid xtics ytics lt 1 lw 0.6 lc rgb '#010203', lt 1 lw 0.6 lc rgb '#010203'
set xlabel x_title tc rgb '#010202'
set ylabel y_title tc rgb '#010202'
set key outside top left horizontal Left reverse samplen 2.5 tc rgb '#010201'

# Beyond what was measured the curve is an extrapolation: the ground is grey there.
if (measured_max > 0 && measured_max < x_max * 0.99) {
	set object 1 rectangle from measured_max, y_min to x_max * 1.12, y_max behind \
		fc rgb '#010206' fs solid noborder
	set label 1 "not measured" at first x_max * 1.1, graph 0.04 right tc rgb '#010202' font ",11"
}
do for [i = 1 : hline_n] {
	set arrow 10 + i from graph 0, first hline_at[i] to graph 1, first hline_at[i] nohead \
		dt (6, 4) lw 1.6 lc rgb '#010204' front
	set label 10 + i hline_name[i] at graph 0.01, first hline_at[i] left offset 0, 0.6 \
		tc rgb '#010204' front
}
do for [i = 1 : vline_n] {
	set arrow 30 + i from first vline_at[i], graph 0 to first vline_at[i], graph 1 nohead \
		dt (2, 3) lw 1.4 lc rgb '#010205' front
	# a label near the right edge is written to the left of its line
	if (log(vline_at[i] * 1.12 / x_min) > 0.62 * log(x_max * 1.2544 / x_min)) {
		set label 30 + i vline_name[i] at first vline_at[i], graph 0.11 + 0.06 * (i - 1) \
			right offset -0.6, 0 tc rgb '#010205' front
	} else {
		set label 30 + i vline_name[i] at first vline_at[i], graph 0.11 + 0.06 * (i - 1) \
			left offset 0.6, 0 tc rgb '#010205' front
	}
}
color(i) = 0x01020B + (i - 1)
plot for [i = 1 : band_n] $bands index (i - 1) using 1:2:3 with filledcurves \
		fs solid 0.22 noborder lc rgb color(i) title band_name[i], \
	for [i = 1 : line_n] $lines index (i - 1) using 1:2 with lines \
		lw 2.2 dt line_dash[i] lc rgb color(i) title line_name[i], \
	for [i = 1 : point_n] $points index (i - 1) using 1:2 with points \
		pt (i == 1 ? 7 : i == 2 ? 5 : 9) ps 0.65 lc rgb color(i) title point_name[i]
