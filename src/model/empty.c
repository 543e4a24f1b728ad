typedef int tw_model_empty;
