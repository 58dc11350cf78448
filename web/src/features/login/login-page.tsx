import { useQuery } from '@tanstack/react-query'
import { firstRunQuery } from '../../api/hub.ts'
import { messageOf } from '../../api/request-failed.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { usePageTitle } from '../../ui/use-page-title.ts'
import * as words from '../../words/messages.js'
import { FirstAdminForm } from './first-admin-form.tsx'
import { HeaderSignIn } from './header-sign-in.tsx'

/** React component: page for people without a session, with the sign-in form, or on a new hub the form for the first admin. */
export function LoginPage() {
  usePageTitle(words.title_login())
  const { data, isError, error, refetch } = useQuery(firstRunQuery)
  if (isError) {
    return (
      <main className="mx-auto grid min-h-dvh w-full max-w-lg content-center p-3">
        <EmptyState title={words.hub_unreachable()} detail={messageOf(error)}>
          <Button onClick={() => void refetch()}>{words.retry()}</Button>
        </EmptyState>
      </main>
    )
  }
  if (data === undefined) {
    return (
      <div className="flex min-h-dvh">
        <Spinner label={words.loading()} />
      </div>
    )
  }
  return data.isFirstRun ? <FirstAdminForm needsSetupCode={data.needsSetupCode} /> : <HeaderSignIn />
}
