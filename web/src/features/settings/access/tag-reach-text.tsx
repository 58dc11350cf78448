import * as words from '../../../words/messages.js'
import type { TagReach } from './access-model.ts'

/**
 * React component: text with the numbers of systems on which a grant of the tag gives access, and on which it does not. The latter have the
 * tag neither by an admin nor by an admin's token. `reach` is `undefined` while the systems are not loaded.
 */
export function TagReachText({ reach }: { reach: TagReach | undefined }) {
  if (reach === undefined) return <span className="text-note text-muted">{words.reach_unknown()}</span>
  const { opened, waiting } = reach
  return (
    <span className="min-w-0 text-note text-muted wrap-anywhere">
      {opened === 0 && waiting === 0 ? words.reach_none() : words.reach_opened({ count: opened })}
      {waiting > 0 && <span className="block text-warn">{words.reach_waiting({ count: waiting })}</span>}
    </span>
  )
}
