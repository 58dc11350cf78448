import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ownFactorsQuery, type OwnFactors } from '../../api/second-factors.ts'
import { Awaited } from '../../ui/awaited.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import * as words from '../../words/messages.js'

type OpenDialog = 'set up' | 'codes' | 'off'

const SetUpAppDialog = onDemand(async () => (await import('./set-up-app-dialog.tsx')).SetUpAppDialog)
const ChangeAppDialog = onDemand(async () => (await import('./change-app-dialog.tsx')).ChangeAppDialog)

/** React component: settings card with the person's authenticator app and recovery codes. */
export function SecondFactorsCard() {
  const query = useQuery(ownFactorsQuery)
  const [open, setOpen] = useState<OpenDialog>()
  const close = () => {
    setOpen(undefined)
    void query.refetch()
  }
  const dialog = { needsPassword: query.data?.needsPassword ?? true, onClose: close }
  return (
    <Card id="second-factors" title={words.second_factors()} description={words.second_factors_about()}>
      <Awaited query={query}>{(factors) => <AppRow factors={factors} onOpen={setOpen} />}</Awaited>
      {open === 'set up' && <SetUpAppDialog {...dialog} />}
      {open !== undefined && open !== 'set up' && <ChangeAppDialog {...dialog} change={open} />}
    </Card>
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
