/** What a text calls that is run by a page; the page that is watched has it. */
export const CALLED = 'ranHere';

/** Texts that run in a page which takes text for mark-up, an address or a template. Short: most fields are. */
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
