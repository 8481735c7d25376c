/**
 * The kill switch of an account: stops its executions, cancels its pending approval requests, and blocks all actions
 * until it is released.
 *
 * Not here: refusing requests while it is engaged (the request checks of the gateway, claims of workers). Used by: the
 * API of the identity context.
 */
export { throwKillSwitch } from './throw-kill-switch.ts';
