# gnuplot THIS_FILE > picture.svg
# Curves of more than 8192 points hold what can be seen of them.
# For other pictures replace the terminal by one of these:
# set terminal pngcairo size 1280,938 enhanced font 'sans,11' fontscale 2 linewidth 2 pointscale 2 rounded background '#FFFFFF'
# set terminal pdfcairo size 6.66667in,4.88542in enhanced font 'sans,8' fontscale 1 linewidth 1 rounded
set terminal svg size 640,469 enhanced font 'sans-serif,12' linewidth 1 rounded background '#FFFFFF'
set encoding utf8
set border 3 linewidth 0.75 linecolor rgb '#404040'
set tics nomirror out scale 0.6 textcolor rgb '#202020'
set grid linetype 1 linewidth 0.4 linecolor rgb '#DDDDDD'
set minussign
set multiplot
set label 1 'title' noenhanced at screen 0.5,0.9467 center font ',15'
set label 41 'caption' noenhanced at screen 0.01875,0.046908 left font ',11' textcolor rgb '#404040'

# panel 1
$panel1_1 << EOD
1 3
2 0.001
3 2
4 5
EOD
set origin 0,0.0660981
set size noratio 1,0.852878
unset lmargin
set title '' noenhanced
set xrange [1:4] noextend
unset logscale x
set xtics autofreq
unset mxtics
set format x '%h'
set xlabel 'x' noenhanced offset 0,0.4
set yrange [0.00065320800718044532:7.6545295603193351] noextend
set logscale y
set ytics 1e-4,1e1
set mytics 10
set format y '10^{%T}'
set ylabel '' noenhanced
set key default
set key noenhanced samplen 2.5 spacing 1.15 outside bottom center horizontal height 0.8 Left reverse
set rmargin 4
plot $panel1_1 using 1:2 with lines lw 1.5 dt 1 lc rgb '#0072B2' title 'curve'
unset label
unset multiplot
