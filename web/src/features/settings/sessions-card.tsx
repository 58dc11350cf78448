import { useMutation, useQuery } from '@tanstack/react-query'
import { endOtherSessions, endSession, sessionsQuery, type OwnSession } from '../../api/sessions.ts'
import { messageOf } from '../../api/request-failed.ts'
import { formatTime } from '../../format/time.ts'
import { useFormats } from '../../preferences/use-preferences.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import * as words from '../../words/messages.js'
import { browserName } from './browser-name.ts'
import { Awaited } from '../../ui/awaited.tsx'
import { Card } from '../../ui/card.tsx'

/** React component: settings card with the sessions of the signed-in user and buttons that end them. */
export function SessionsCard() {
  const query = useQuery(sessionsQuery)
  const ended = { onSuccess: () => void query.refetch() }
  const end = useMutation({ mutationFn: endSession, ...ended })
  const endOthers = useMutation({ mutationFn: endOtherSessions, ...ended })
  const failed = end.error ?? endOthers.error
  const isBusy = end.isPending || endOthers.isPending
  return (
    <Card id="sessions" title={words.settings_sessions()} description={words.settings_sessions_about()}>
      <Awaited query={query}>
        {(sessions) => (
          <ul className="divide-y divide-border">
            {sessions.map((session) => (
              <Session key={session.id} session={session} isBusy={isBusy} onEnd={() => end.mutate(session.id)} />
            ))}
          </ul>
        )}
      </Awaited>
      {failed !== null && <FormError message={messageOf(failed)} />}
      {query.data !== undefined && query.data.length > 1 && (
        <Button className="mt-3" disabled={isBusy} onClick={() => endOthers.mutate()}>
          {words.end_other_sessions()}
        </Button>
      )}
    </Card>
  )
}

type SessionProps = { session: OwnSession; isBusy: boolean; onEnd: () => void }

function Session({ session: { address, browser, renewedMs, by, isCurrent }, isBusy, onEnd }: SessionProps) {
  const formats = useFormats()
  const where = browser === undefined ? words.unknown_browser() : browserName(browser)
  const facts = [
    address,
    renewedMs === undefined ? undefined : words.session_renewed({ time: formatTime(renewedMs, 'dayAndTime', formats) }),
    by === undefined ? undefined : words.session_by({ admin: by }),
  ]
  return (
    <li className="flex min-h-13 items-center gap-3 py-2">
      <div className="min-w-0 flex-1">
        <p className="truncate">
          {where}
          {isCurrent && <span className="ml-2 text-note text-ok">{words.this_session()}</span>}
        </p>
        <p className="text-note text-muted wrap-anywhere">{facts.filter((fact) => fact !== undefined).join(' · ')}</p>
      </div>
      {!isCurrent && (
        <Button disabled={isBusy} onClick={onEnd} aria-label={words.end_session_of({ browser: where })}>
          {words.end_session()}
        </Button>
      )}
    </li>
  )
}
