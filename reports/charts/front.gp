# front.gp - cost against p99: plans that no other beats in both, drawn by report/chart.c.
#
# Given before this script: data blocks $lines $points $bands (x y y2; series two empty lines apart);
# NAME_n, NAME_name[i], NAME_dash[i], NAME_at[i] for line, point, band, hline, vline; x_min x_max y_min
# y_max; x_title y_title.  Names are placeholders that the program replaces.  The first points are
# those to look at, so they are larger.
#
# Colours are sentinels: rgb 1,2,N is class fN or sN of reports/html/style.css (list there).
set terminal svg size 760,360 dynamic font "sans-serif,13" noenhanced
set encoding utf8
set logscale y 10
set xrange [x_min : x_max]
set yrange [y_min : y_max]
set format x "%.0f"
set format y "%g"
set xtics nomirror tc rgb '#010202'
set ytics nomirror tc rgb '#010202'
set tics out
if (y_max / y_min < 300) {
	set ytics add (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 3, 5, 7, 10, 20, 30, 50, 70, 100, 200, 300, 500, 1000)
}
set border 3 lc rgb '#010202'
set grid xtics ytics lt 1 lw 0.6 lc rgb '#010203', lt 1 lw 0.6 lc rgb '#010203'
set xlabel x_title tc rgb '#010202'
set ylabel y_title tc rgb '#010202'
set key outside top left horizontal Left reverse samplen 2.5 tc rgb '#010201'

do for [i = 1 : hline_n] {
	set arrow 10 + i from graph 0, first hline_at[i] to graph 1, first hline_at[i] nohead \
		dt (6, 4) lw 1.6 lc rgb '#010204' front
	set label 10 + i hline_name[i] at graph 0.99, first hline_at[i] right offset 0, 0.6 \
		tc rgb '#010204' front
}
color(i) = 0x01020B + (i - 1)
plot for [i = 1 : line_n] $lines index (i - 1) using 1:2 with lines \
		lw 1.6 dt line_dash[i] lc rgb color(1) title line_name[i], \
	for [i = 1 : point_n] $points index (i - 1) using 1:2 with points \
		pt (i == 1 ? 7 : i == 2 ? 5 : 9) ps (i == 1 ? 1.1 : 0.75) \
		lc rgb color(i == 1 ? 2 : i == 2 ? 1 : 3) title point_name[i]
