package doc

import (
	"testing"

	"golang.org/x/text/encoding/htmlindex"
)

// samples are sentences of librarians, with the charsets in which such texts are kept.
var samples = []struct {
	text     string
	charsets []string
}{
	{"The library’s “old” catalogue, © 1997", []string{"windows-1252"}},
	{"Die Bücher für die Geschichte der Städte größerer Länder", []string{"windows-1252"}},
	{"Le catalogue de la bibliothèque est accessible à tous ; l'été, où qu'on soit, ça va", []string{"windows-1252"}},
	{"El catálogo de la biblioteca de España está aquí, señor; año 1998", []string{"windows-1252"}},
	{"Biblioteket på øen har åbent; læs også bøger", []string{"windows-1252"}},
	{"a café of books", []string{"windows-1252"}},
	{"Książki są dostępne w bibliotece, także łatwiejsze źródła i ćwiczenia", []string{"iso-8859-2", "windows-1250"}},
	{"Příliš žluťoučký kůň úpěl ďábelské ódy v české knihovně", []string{"iso-8859-2"}},
	{"Kütüphanenin kataloğu çok büyük, ışık altında değişti şimdi", []string{"windows-1254"}},
	{"Каталог библиотеки был перенесён на новый сервер, смотрите ссылки ниже", []string{"windows-1251", "koi8-r", "iso-8859-5"}},
	{"Ο κατάλογος της βιβλιοθήκης είναι διαθέσιμος στο διαδίκτυο", []string{"iso-8859-7"}},
	{"הקטלוג של הספרייה נמצא כאן וניתן לקרוא אותו בכל שעה", []string{"iso-8859-8"}},
	{"فهرس المكتبة متاح على الشبكة ويمكن قراءته في كل وقت", []string{"windows-1256"}},
	{"図書館の目録はここにあります。古い文書のリンクを調べてください。", []string{"shift_jis", "euc-jp", "iso-2022-jp"}},
	{"도서관의 목록은 여기에 있습니다. 오래된 문서의 링크를 확인하는 것이 좋습니다.", []string{"euc-kr"}},
	{"图书馆的目录在这里，我们可以在这里找到旧的文件和链接。", []string{"gbk"}},
	{"圖書館的目錄在這裡，我們可以在這裡找到舊的文件和連結。", []string{"big5"}},
}

func TestGuessedCharset(t *testing.T) {
	for _, s := range samples {
		for _, name := range s.charsets {
			e, err := htmlindex.Get(name)
			if err != nil {
				t.Fatal(err)
			}
			octets, err := e.NewEncoder().String(s.text)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			got, err := guessCharset([]byte(octets)).NewDecoder().String(octets)
			if err != nil || got != s.text {
				t.Errorf("%s is read as %q, %v; want %q", name, got, err, s.text)
			}
		}
	}
}
