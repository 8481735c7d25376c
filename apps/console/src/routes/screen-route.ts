import { createRoute, type RouteComponent } from '@tanstack/react-router';
import { pickTexts } from '../search-text.ts';
import { inside } from './inside.ts';

interface ScreenOptions<Path extends string, Key extends string> {
  readonly path: Path;
  /** Names of the query parameters in the address of the screen. */
  readonly keys?: readonly Key[];
  readonly component: RouteComponent;
}

/** Creates the route of a screen for signed-in users. */
export const screenRoute = <const Path extends string, const Key extends string = never>({
  path,
  keys = [],
  component,
}: ScreenOptions<Path, Key>) =>
  createRoute({
    getParentRoute: () => inside,
    path,
    validateSearch: (search: Record<string, unknown>) => pickTexts(search, keys),
    component,
  });
