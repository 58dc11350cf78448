import type { Selectable } from 'kysely'
import { isJsonObject, parseJson } from '../../../platform/json.ts'
import type { NoticeTable } from '../../../platform/db/schema.ts'
import type { StoredRecord } from '../../../records/model/stored-record.ts'
import { channelOf } from '../delivery-store.ts'
import { chooseChannels, type ChannelChoice, type ChoiceQuery } from '../notification-rules.ts'

type Row = Selectable<NoticeTable>

/**
 * Parameters for choosing the channels of notifications: engine, transaction, the user's settings record (`preferences`, `undefined` if
 * none), and all channels of the user.
 */
type StepChoiceQuery = Omit<ChoiceQuery, 'preferences'> & { readonly preferences: StoredRecord | undefined }

/**
 * Resolves to a function that returns the channels (email, Slack, …) for one of the notifications `notices`. Escalation notifications use
 * the channels that their step names; the user's notification rules choose for others. Without settings, these get all channels.
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

/** Parses the keys of the channels that a stored escalation notification names. `undefined` if it names none or its JSON is damaged. */
function channelKeysIn({ body }: Row): readonly string[] | undefined {
  try {
    const stored = parseJson(body)
    const keys = isJsonObject(stored) ? stored['channels'] : undefined
    return Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : undefined
  } catch {
    return undefined
  }
}
