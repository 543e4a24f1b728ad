typedef int tw_advise_empty;
