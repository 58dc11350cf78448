import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Router } from 'wouter'
import { queryClient } from './api/server-query.ts'
import { useSession } from './api/use-session.ts'
import { basePath } from './base-path.ts'
import { BrokenPage } from './broken-page.tsx'
import { useAddress } from './navigation/use-address.ts'
import { useLanguage } from './preferences/use-preferences.ts'
import { SignedInPages, SignedOutPages } from './routes.tsx'
import { ErrorBoundary } from './ui/error-boundary.tsx'
import { onDemand } from './ui/on-demand.tsx'
import { Optional } from './ui/optional.tsx'
import { useHasToasts } from './ui/use-has-toasts.ts'
import { useFavicon } from './use-favicon.ts'

const Tooltips = onDemand(async () => (await import('./ui/tooltips.tsx')).Tooltips)
const Toaster = onDemand(async () => (await import('./ui/toaster.tsx')).Toaster)

export function App() {
  useLanguage()
  return (
    <ErrorBoundary renderError={(error) => <BrokenPage error={error} />}>
      <QueryClientProvider client={queryClient}>
        <div className="flex min-h-dvh flex-col">
          {/* oxlint-disable-next-line react/hooks -- wouter takes the hook itself */}
          <Router base={basePath} hook={useAddress}>
            <Pages />
          </Router>
        </div>
        <TooltipsOnDemand />
        <Toasts />
      </QueryClientProvider>
    </ErrorBoundary>
  )
}

function Pages() {
  const user = useSession()
  useFavicon(user !== undefined)
  return user === undefined ? <SignedOutPages /> : <SignedInPages key={user.id} user={user} />
}

/**
 * React component that loads the code of tooltips on the first pointer movement or focus. It does not react to `pointerover`, which
 * browsers also report for a resting pointer after each page load.
 */
function TooltipsOnDemand() {
  const [isWanted, setWanted] = useState(false)
  useEffect(() => {
    const want = () => setWanted(true)
    for (const event of ['pointermove', 'focusin']) document.addEventListener(event, want, { once: true })
  }, [])
  if (!isWanted) return null
  return (
    <Optional>
      <Tooltips />
    </Optional>
  )
}

/** React component that loads the code of toasts (short messages) with the first toast, because most visits have none. */
function Toasts() {
  if (!useHasToasts()) return null
  return (
    <Optional>
      <Toaster />
    </Optional>
  )
}
