import type { Selectable } from 'kysely'
import { isJsonObject, parseJson } from '../../../platform/json.ts'
import type { NoticeTable } from '../../../platform/db/schema.ts'
import type { StoredRecord } from '../../../records/model/stored-record.ts'
import { channelOf } from '../delivery-store.ts'
import { chooseChannels, type ChannelChoice, type ChoiceQuery } from '../notification-rules.ts'

type Row = Selectable<NoticeTable>

/** As for {@link chooseChannels}, but the settings record may be missing. */
type StepChoiceQuery = Omit<ChoiceQuery, 'preferences'> & { readonly preferences: StoredRecord | undefined }

/**
 * Resolves to the function that chooses the channels of each of a user's notifications. A notification for channels of a step goes to those
 * that still exist. The notification rules choose for all others; without settings, these go to all channels.
 */
export async function choiceWithSteps({ preferences, ...query }: StepChoiceQuery, notices: readonly Row[]): Promise<ChannelChoice> {
  const { engine, channels } = query
  const ruled = preferences === undefined ? () => channels : await chooseChannels({ ...query, preferences }, notices)
  return (notice) => {
    const keys = channelKeysIn(notice)
    return keys === undefined
      ? ruled(notice)
      : channels.filter(({ target }) => keys.includes(channelOf(engine.secrets, notice.owner, target)))
  }
}

/** Parses the keys of the channels that a stored notification names. `undefined` if it names none or is damaged. */
function channelKeysIn({ body }: Row): readonly string[] | undefined {
  try {
    const stored = parseJson(body)
    const keys = isJsonObject(stored) ? stored['channels'] : undefined
    return Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : undefined
  } catch {
    return undefined
  }
}
