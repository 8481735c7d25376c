/**
 * The kill switch of an account: its agents are stopped, what they wait for is ended, and nothing acts until it is released.
 *
 * Not here: who is refused while it is thrown (the request gate of the doors, claims of workers).
 * Used by: api-gateway.
 */
export { throwKillSwitch } from './throw-kill-switch.ts';
