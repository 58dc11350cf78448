import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { confirmVerification, isLinkRefused } from '../../api/accounts.ts'
import { isLinkExpired } from '../../api/mailed-link.ts'
import { messageOf } from '../../api/request-failed.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { usePageTitle } from '../../ui/use-page-title.ts'
import * as words from '../../words/messages.js'
import { EntryCard } from './entry-card.tsx'
import { BackToSignIn, EntryNote, LinkIsOver } from './entry-note.tsx'

/**
 * React component: page that the emailed link for verifying an email address opens; `token` comes from the link. The user must press a
 * button, because mail scanners open links too.
 */
export function VerifyEmailPage({ token }: { token: string }) {
  usePageTitle(words.title_verify_email())
  const [wasExpired] = useState(() => isLinkExpired(token, Date.now()))
  const confirmation = useMutation({ mutationFn: () => confirmVerification(token) })
  const isOver = wasExpired || isLinkRefused(confirmation.error)
  return (
    <EntryCard title={words.verify_title()} description={words.verify_description()}>
      {confirmation.isSuccess && <EntryNote>{words.verify_done()}</EntryNote>}
      {isOver && <LinkIsOver />}
      {!confirmation.isSuccess && !isOver && (
        <>
          {confirmation.isError && <FormError message={messageOf(confirmation.error)} />}
          <Button look="primary" disabled={confirmation.isPending} className="h-9 justify-center" onClick={() => confirmation.mutate()}>
            {words.verify_confirm()}
          </Button>
        </>
      )}
      <BackToSignIn />
    </EntryCard>
  )
}
