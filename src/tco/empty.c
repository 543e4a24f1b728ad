typedef int tw_tco_empty;
