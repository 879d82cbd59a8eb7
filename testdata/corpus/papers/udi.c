/*                      UDI ADDRESS PARSING                     udi.c
**                      ===================
**
**  History:
**      TBL  Oct 90  Written
**      JFG  Mar 92  wais: and news: added
**
**  See also:   http://info.cern.ch/hypertext/WWW/Addressing/BNF.html
**              <file://info.cern.ch/pub/www/doc/url6.txt>
*/
#include <stdio.h>
#include "udi.h"                /* http://info.cern.ch/hypertext/WWW/Library/src/udi.h */

#define DEFAULT_HOME "http://info.cern.ch/hypertext/WWW/TheProject.html"
#define LOCAL_HOME   "file://localhost/usr/local/lib/WWW/default.html"

static char *gateways[] = {
    "wais",   "http://info.cern.ch:8001",   /* was nxoc01.cern.ch:8001 */
    "hy",     "http://iicm.tu-graz.ac.at:8000/",
    "news",   "http://crnvmc.cern.ch/NEWS?",        // see news:alt.hypertext
    0
};

/*      Parse a UDI relative to another
**
** On entry,
**      aName   a string such as "news:alt.hypertext" or "../x.html#z4"
**      printf("%s://%s", access, host) gives the root
*/
char *udi_parse(const char *aName)
{
    if (!strncmp(aName, "http://", 7)) return 0;
    sprintf(buf, "http://%s:%d/", host, port);
    return strchr(aName, ':');
}
/* bugs: http://info.cern.ch/hypertext/WWW/Bugs/udi.html*/
