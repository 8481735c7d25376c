import { lazyRouteComponent } from '@tanstack/react-router';

const RELOADED = 'steward.reloaded';
/** Time after which a page that is still shown counts as loaded successfully. */
const SETTLED_MS = 10_000;

addEventListener('load', () => setTimeout(() => sessionStorage.removeItem(RELOADED), SETTLED_MS));

/**
 * Loads a screen when it is shown. After an upgrade, the files of the build that this page belongs to are missing: the
 * page then reloads once instead of showing an error.
 */
export const lazyScreen: typeof lazyRouteComponent = (importer, exportName) =>
  lazyRouteComponent(() => importer().catch(loadAnew), exportName);

function loadAnew(error: unknown): Promise<never> {
  if (sessionStorage.getItem(RELOADED) !== null) throw error;
  sessionStorage.setItem(RELOADED, 'yes');
  location.reload();
  return new Promise(() => undefined);
}
