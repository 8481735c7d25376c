/** Name of the function that a text calls if it is executed; the monitored page defines it. */
export const CALLED = 'ranHere';

/**
 * Texts that are executed in a page that treats text as markup, a URL or a template. They are short, because most
 * fields are.
 */
export const HOSTILE_TEXTS: readonly string[] = [
  `"'><img src=x onerror=${CALLED}()>`,
  `</title><script>${CALLED}()</script>`,
  `<svg/onload=${CALLED}()>`,
  `javascript:${CALLED}()`,
  `[x](javascript:${CALLED}())`,
  `{{constructor.constructor('${CALLED}()')()}}`,
  `<iframe srcdoc="<script>parent.${CALLED}()</script>">`,
  `<style>@import'//x.test'</style>`,
];
