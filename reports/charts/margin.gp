# margin.gp - each promise as a dot and an interval beside its limit, drawn by report/chart.c.
#
# Given before this script: data blocks $points and $bands (row value, row low high; series two empty lines
# apart); point_n, point_name[i], band_n, band_name[i], hline_n, hline_name[i], hline_at[i]; row_n,
# row_name[j]; value_min, value_max; y_title.  Rows run down, values across.
#
# Colours are sentinels: rgb 1,2,N is class fN or sN of reports/html/style.css (list there).
set terminal svg size 760,(110 + 36 * row_n) dynamic font "sans-serif,13" noenhanced
set encoding utf8
set logscale x 10
set xrange [value_min : value_max]
set yrange [row_n + 0.6 : 0.4]
set format x "%g"
set xtics nomirror tc rgb '#010202'
if (value_max / value_min < 300) {
	set xtics add (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
}
set ytics scale 0 tc rgb '#010201' nomirror
set ytics ("" 0)
do for [j = 1 : row_n] {
	set ytics add (row_name[j] j)
}
set border 1 lc rgb '#010202'
set grid xtics lt 1 lw 0.6 lc rgb '#010203'
set xlabel y_title tc rgb '#010202'
set key outside top left horizontal Left reverse samplen 2.5 tc rgb '#010201'
do for [i = 1 : hline_n] {
	set arrow 10 + i from first hline_at[i], graph 0 to first hline_at[i], graph 1 nohead \
		dt (6, 4) lw 1.6 lc rgb '#010204' front
	set label 10 + i hline_name[i] at first hline_at[i], graph 1 center offset 0, 0.6 \
		tc rgb '#010204' front
}
color(i) = 0x01020B + (i - 1)
plot for [i = 1 : band_n] $bands index (i - 1) using 2:1:($3 - $2):(0) with vectors nohead \
		lw 4 lc rgb color(1) title band_name[i], \
	for [i = 1 : point_n] $points index (i - 1) using 2:1 with points \
		pt 7 ps 1 lc rgb color(2) title point_name[i]
