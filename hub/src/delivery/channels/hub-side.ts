import type { SecretBox } from '../../platform/secrets/secret-box.ts'
import type { HubSide } from './channel.ts'
import { webPushKeyOf } from './vapid.ts'

/** VAPID contact: where push services find who made the sender (RFC 8292 2.1). */
const CONTACT = 'https://github.com/vedette-monitor/vedette'

/** Derives the data that channels need from the hub's secret. */
export const hubSideOf = ({ derive }: Pick<SecretBox, 'derive'>): HubSide => ({ webPushKey: webPushKeyOf(derive, CONTACT) })
