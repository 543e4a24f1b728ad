typedef int tw_price_empty;
