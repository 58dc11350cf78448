import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ownFactorsQuery, type OwnFactors, type Passkey } from '../../api/second-factors.ts'
import { passkeyProblem } from '../../api/passkey-support.ts'
import { formatTime } from '../../format/time.ts'
import { useFormats } from '../../preferences/use-preferences.ts'
import { Awaited } from '../../ui/awaited.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import * as words from '../../words/messages.js'

type OpenDialog = 'set up' | 'codes' | 'off' | 'passkey' | Passkey

const SetUpAppDialog = onDemand(async () => (await import('./set-up-app-dialog.tsx')).SetUpAppDialog)
const AddPasskeyDialog = onDemand(async () => (await import('./add-passkey-dialog.tsx')).AddPasskeyDialog)
const RemovePasskeyDialog = onDemand(async () => (await import('./remove-passkey-dialog.tsx')).RemovePasskeyDialog)
const ChangeAppDialog = onDemand(async () => (await import('./change-app-dialog.tsx')).ChangeAppDialog)

/**
 * React component: settings card with the signed-in user's authenticator app, recovery codes and passkeys, and buttons that change them.
 */
export function SecondFactorsCard() {
  const query = useQuery(ownFactorsQuery)
  const [open, setOpen] = useState<OpenDialog>()
  const close = () => {
    setOpen(undefined)
    void query.refetch()
  }
  const dialog = { needsPassword: query.data?.needsPassword ?? true, onClose: close }
  const proof = { ...dialog, needsCode: query.data?.hasApp ?? true }
  return (
    <Card id="second-factors" title={words.second_factors()} description={words.second_factors_about()}>
      <Awaited query={query}>
        {(factors) => (
          <>
            <AppRow factors={factors} onOpen={setOpen} />
            <Passkeys passkeys={factors.passkeys} onOpen={setOpen} />
          </>
        )}
      </Awaited>
      {open === 'set up' && <SetUpAppDialog {...dialog} />}
      {(open === 'codes' || open === 'off') && <ChangeAppDialog {...dialog} change={open} />}
      {open === 'passkey' && <AddPasskeyDialog {...proof} />}
      {typeof open === 'object' && <RemovePasskeyDialog {...proof} passkey={open} />}
    </Card>
  )
}

type PasskeysProps = { passkeys: readonly Passkey[]; onOpen: (dialog: OpenDialog) => void }

function Passkeys({ passkeys, onOpen }: PasskeysProps) {
  const problem = passkeyProblem()
  return (
    <div className="border-t border-border pt-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <div className="min-w-48 flex-1">
          <p>{words.passkeys()}</p>
          <p className="text-note text-muted">{problem ?? words.passkeys_about()}</p>
        </div>
        {problem === undefined && <Button onClick={() => onOpen('passkey')}>{words.passkey_add()}</Button>}
      </div>
      {passkeys.length > 0 && (
        <ul className="mt-2 divide-y divide-border">
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} onRemove={() => onOpen(passkey)} />
          ))}
        </ul>
      )}
    </div>
  )
}

function PasskeyRow({ passkey: { name, createdMs, usedMs }, onRemove }: { passkey: Passkey; onRemove: () => void }) {
  const formats = useFormats()
  const dayOf = (atMs: number): string => formatTime(atMs, 'dayAndTime', formats)
  const facts = [
    createdMs === undefined ? undefined : words.passkey_created({ time: dayOf(createdMs) }),
    usedMs === undefined ? words.api_key_never_used() : words.session_renewed({ time: dayOf(usedMs) }),
  ]
  return (
    <li className="flex min-h-13 items-center gap-3 py-2">
      <div className="min-w-0 flex-1">
        <p className="wrap-anywhere">{name}</p>
        <p className="text-note text-muted wrap-anywhere">{facts.filter((fact) => fact !== undefined).join(' · ')}</p>
      </div>
      <Button onClick={onRemove} aria-label={words.passkey_remove_named({ name })}>
        {words.passkey_remove()}
      </Button>
    </li>
  )
}

function AppRow({ factors: { hasApp, recoveryCodes }, onOpen }: { factors: OwnFactors; onOpen: (dialog: OpenDialog) => void }) {
  return (
    <div className="flex min-h-13 flex-wrap items-center gap-x-3 gap-y-2 py-2">
      <div className="min-w-48 flex-1">
        <p>
          {words.app()}{' '}
          <span className={hasApp ? 'ml-2 text-note text-ok' : 'ml-2 text-note text-muted'}>
            {hasApp ? words.app_on() : words.app_off()}
          </span>
        </p>
        {hasApp && (
          <p className={recoveryCodes < 3 ? 'text-note text-warn' : 'text-note text-muted'}>
            {words.recovery_codes_left({ count: recoveryCodes })}
          </p>
        )}
      </div>
      {hasApp ? (
        <>
          <Button onClick={() => onOpen('codes')}>{words.recovery_codes_new()}</Button>
          <Button onClick={() => onOpen('off')}>{words.app_turn_off()}</Button>
        </>
      ) : (
        <Button onClick={() => onOpen('set up')}>{words.app_set_up()}</Button>
      )}
    </div>
  )
}
