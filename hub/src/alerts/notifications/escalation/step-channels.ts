import type { Selectable } from 'kysely'
import { isJsonObject, parseJson } from '../../../platform/json.ts'
import type { NoticeTable } from '../../../platform/db/schema.ts'
import type { SecretBox } from '../../../platform/secrets/secret-box.ts'
import { channelOf } from '../delivery-store.ts'
import type { ChannelChoice } from '../notification-rules.ts'
import type { PersonsChannel } from '../recipient.ts'

/**
 * Returns the function that chooses the channels of a notification: those of its step, if it informs channels of the alert's owner. `choice`
 * decides about all other ones.
 */
export const withStepChannels =
  (secrets: SecretBox, channels: readonly PersonsChannel[], choice: ChannelChoice): ChannelChoice =>
  (notice) => {
    const keys = channelKeysIn(notice)
    return keys === undefined ? choice(notice) : channels.filter(({ target }) => keys.includes(channelOf(secrets, notice.owner, target)))
  }

/** Parses the keys of the channels that a stored notification names. `undefined` if it names none. */
function channelKeysIn({ body }: Selectable<NoticeTable>): readonly string[] | undefined {
  try {
    const stored = parseJson(body)
    const keys = isJsonObject(stored) ? stored['channels'] : undefined
    return Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : undefined
  } catch {
    return undefined
  }
}
