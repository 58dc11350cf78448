import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiKeysQuery, type ApiKey } from '../../api/api-keys.ts'
import type { SignedInUser } from '../../api/client.ts'
import { clockNow } from '../../format/clock.ts'
import { formatTime } from '../../format/time.ts'
import { useFormats } from '../../preferences/use-preferences.ts'
import { Awaited } from '../../ui/awaited.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Tag } from '../../ui/tag.tsx'
import * as words from '../../words/messages.js'
import { CreateKeyDialog } from './create-key-dialog.tsx'
import { scopeName } from './key-scopes.ts'
import { RevokeKeyDialog } from './revoke-key-dialog.tsx'

/** React component: settings card with the API keys of the signed-in user, and buttons that create and revoke them. */
export function ApiKeysCard({ user }: { user: SignedInUser }) {
  const query = useQuery(apiKeysQuery)
  const [isCreating, setIsCreating] = useState(false)
  const [revoked, setRevoked] = useState<ApiKey>()
  const refresh = () => void query.refetch()
  return (
    <Card id="api-keys" title={words.settings_api_keys()} description={words.settings_api_keys_about()}>
      <Awaited query={query} isEmpty={(list) => list.length === 0} empty={<p className="py-2 text-muted">{words.api_keys_none()}</p>}>
        {(list) => (
          <ul className="divide-y divide-border">
            {list.map((key) => (
              <KeyRow key={key.id} apiKey={key} onRevoke={() => setRevoked(key)} />
            ))}
          </ul>
        )}
      </Awaited>
      {query.data !== undefined && (
        <Button className="mt-3" onClick={() => setIsCreating(true)}>
          {words.api_key_create()}
        </Button>
      )}
      {isCreating && <CreateKeyDialog isReadOnly={user.role === 'readonly'} onCreated={refresh} onClose={() => setIsCreating(false)} />}
      {revoked !== undefined && <RevokeKeyDialog apiKey={revoked} onRevoked={refresh} onClose={() => setRevoked(undefined)} />}
    </Card>
  )
}

function KeyRow({ apiKey: { name, scope, tags, expiresMs, usedMs }, onRevoke }: { apiKey: ApiKey; onRevoke: () => void }) {
  const formats = useFormats()
  const [openedMs] = useState(clockNow)
  const dayOf = (atMs: number): string => formatTime(atMs, 'dayAndTime', formats)
  const isExpired = expiresMs !== undefined && expiresMs <= openedMs
  const end =
    expiresMs === undefined
      ? words.api_key_no_end()
      : isExpired
        ? words.api_key_expired({ time: dayOf(expiresMs) })
        : words.api_key_expires({ time: dayOf(expiresMs) })
  const use = usedMs === undefined ? words.api_key_never_used() : words.session_renewed({ time: dayOf(usedMs) })
  return (
    <li className="flex min-h-13 items-center gap-3 py-2">
      <div className="min-w-0 flex-1">
        <p className="wrap-anywhere">{name}</p>
        <p className="text-note text-muted wrap-anywhere">
          {scope === undefined ? '' : `${scopeName[scope]()} · `}
          <span className={isExpired ? 'text-crit' : undefined}>{end}</span> · {use}
        </p>
        {tags.length > 0 && (
          <p className="flex flex-wrap items-center gap-1 py-0.5 text-note text-muted">
            {scope === 'ingest' ? words.api_key_gives() : words.api_key_limited()}
            {tags.map((tag) => (
              <Tag key={tag} text={tag} />
            ))}
          </p>
        )}
      </div>
      <Button onClick={onRevoke} aria-label={words.api_key_revoke_named({ name })}>
        {words.api_key_revoke()}
      </Button>
    </li>
  )
}
