package extract

func readXML(d *doc) error { return readHTML(d) }
