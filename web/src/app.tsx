import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Router } from 'wouter'
import { queryClient } from './api/queries.ts'
import { messageOf } from './api/request-failed.ts'
import { useSession } from './api/use-session.ts'
import { basePath } from './base-path.ts'
import { SignedInPages, SignedOutPages } from './routes.tsx'
import { Button } from './ui/button.tsx'
import { ErrorBoundary } from './ui/error-boundary.tsx'
import { Notice } from './ui/notice.tsx'
import { Spinner } from './ui/spinner.tsx'
import { useHasToasts } from './ui/use-has-toasts.ts'
import { useFavicon } from './use-favicon.ts'
import * as words from './words/messages.js'

const Tooltips = lazy(async () => ({ default: (await import('./ui/tooltips.tsx')).Tooltips }))
const Toaster = lazy(async () => ({ default: (await import('./ui/toaster.tsx')).Toaster }))

export function App() {
  return (
    <ErrorBoundary renderError={(error) => <Broken error={error} />}>
      <QueryClientProvider client={queryClient}>
        <div className="flex min-h-dvh flex-col">
          <Suspense fallback={<Spinner label={words.loading()} />}>
            <Router base={basePath}>
              <Pages />
            </Router>
          </Suspense>
        </div>
        <Suspense>
          <Tooltips />
        </Suspense>
        <Toasts />
      </QueryClientProvider>
    </ErrorBoundary>
  )
}

function Pages() {
  const user = useSession()
  useFavicon(user !== undefined)
  return user === undefined ? <SignedOutPages /> : <SignedInPages user={user} />
}

/** Loaded with the first toast: most visits have none. */
function Toasts() {
  if (!useHasToasts()) return null
  return (
    <Suspense>
      <Toaster closeLabel={words.close()} regionLabel={words.notifications()} />
    </Suspense>
  )
}

function Broken({ error }: { error: unknown }) {
  return (
    <main className="mx-auto grid min-h-dvh w-full max-w-lg content-center p-3">
      <Notice title={words.page_failed()} detail={messageOf(error)}>
        <Button onClick={() => location.reload()}>{words.reload()}</Button>
      </Notice>
    </main>
  )
}
