document.documentElement.className = 'js';
addEventListener('error', () => { // the page's own script failed: show what needs none
  if (!document.querySelector('#rows.live')) document.documentElement.className = 'nojs';
});
