editor(find("edit"), data.xgid);
