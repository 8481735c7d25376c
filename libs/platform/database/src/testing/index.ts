/** Database connections for the tests of apps and contexts. */
export { countStatements } from './count-statements.ts';
export { connectTestDatabase } from './connect-test-database.ts';
export { openClone, type Clone } from './open-clone.ts';
export { untilOverOrBlocked } from './until-over-or-blocked.ts';
