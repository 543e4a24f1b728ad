typedef int tw_profile_empty;
