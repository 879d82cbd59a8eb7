// Until all links are read the page shows the first rows of its list, unless the address names others.
document.documentElement.className = location.hash.includes('=') ? 'js view' : 'js';
addEventListener('error', () => { // the page's own script failed: show what needs none
  if (!document.querySelector('#rows.live')) document.documentElement.className = 'nojs';
});
