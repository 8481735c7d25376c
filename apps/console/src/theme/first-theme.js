/* Runs before the first paint: sets the theme chosen in this browser, or else that of the system. */
(() => {
  try {
    const chosen = localStorage.getItem('steward.theme');
    if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
  } catch {
    // Storage is disabled: the theme of the system.
  }
})();
