import type { SecretBox } from '../../platform/secrets/secret-box.ts'
import type { HubSide } from './channel.ts'
import { webPushKeyOf } from './vapid.ts'

/** Where push services find who made what sends to them; they may ask for it (RFC 8292 2.1). */
const CONTACT = 'https://github.com/vedette-monitor/vedette'

/** What channels need of this hub, from its own secret. */
export const hubSideOf = ({ derive }: Pick<SecretBox, 'derive'>): HubSide => ({ webPushKey: webPushKeyOf(derive, CONTACT) })
