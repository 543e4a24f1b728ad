typedef int tw_report_empty;
