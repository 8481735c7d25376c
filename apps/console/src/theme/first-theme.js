/* Before the first paint: the theme chosen in this browser, else that of the system. */
(() => {
  try {
    const chosen = localStorage.getItem('steward.theme');
    if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
  } catch {
    // Storage is disabled: the theme of the system.
  }
})();
