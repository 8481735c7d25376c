/** What the tests of apps and slices connect to the database with. */
export { connectTestDatabase } from './connect-test-database.ts';
export { openClone, type Clone } from './open-clone.ts';
export { untilOverOrBlocked } from './until-over-or-blocked.ts';
