# cost.gp - cost by volume as stacked horizontal bars, drawn by report/chart.c.
#
# Given before this script: data block $bars (start end bar; parts two empty lines apart); part_n,
# part_name[i]; bar_n, bar_name[j], bar_end[j], bar_total[j]; longest; mark_n, mark_x[k], mark_y[k],
# mark_text[k]: the amounts inside the wider segments; x_title.
#
# Colours are sentinels: rgb 1,2,N is class fN or sN of reports/html/style.css (list there).
set terminal svg size 760,(110 + 40 * bar_n) dynamic font "sans-serif,13" noenhanced
set encoding utf8
set xrange [0 : longest * 1.2]
set yrange [bar_n + 0.6 : 0.4]
set border 1 lc rgb '#010202'
set xtics nomirror tc rgb '#010202'
set format x "%g"
set ytics scale 0 tc rgb '#010201' nomirror
set ytics ("" 0)
do for [j = 1 : bar_n] {
	set ytics add (bar_name[j] j)
	set label 100 + j bar_total[j] at bar_end[j], j left offset 0.6, 0 tc rgb '#010201' font ",13"
}
do for [k = 1 : mark_n] {
	set label 200 + k mark_text[k] at mark_x[k], mark_y[k] center tc rgb '#010209' font ",12" front
}
set grid xtics lt 1 lw 0.6 lc rgb '#010203'
set xlabel x_title tc rgb '#010202'
set key outside top left horizontal Left reverse samplen 1.5 tc rgb '#010201'
set style fill solid 1 border rgb '#010208'
color(i) = 0x010215 + (i - 1)
plot for [i = 1 : part_n] $bars index (i - 1) \
	using (($1 + $2) / 2):3:1:2:($3 - 0.3):($3 + 0.3) with boxxyerror lc rgb color(i) title part_name[i]
