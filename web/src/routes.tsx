import { lazy, Suspense, useCallback, useState } from 'react'
import { Route, Switch, useLocation } from 'wouter'
import type { SignedInUser } from './api/client.ts'
import { emptyDraft } from './api/system-draft.ts'
import { BrokenPage } from './broken-page.tsx'
import type { SystemDialogRequest } from './features/system-dialogs/system-dialog.tsx'
import { TopBar } from './features/top-bar/top-bar.tsx'
import { routePatterns, systemIn } from './paths.ts'
import { useSettings } from './preferences/use-settings.ts'
import { ErrorBoundary } from './ui/error-boundary.tsx'
import { Spinner } from './ui/spinner.tsx'
import { usePaletteKey } from './use-palette-key.ts'
import { useStartUp } from './use-start-up.ts'
import * as words from './words/messages.js'

const FleetPage = lazy(async () => ({ default: (await import('./features/fleet/fleet-page.tsx')).FleetPage }))
const SystemPage = lazy(async () => {
  // What draws its charts comes beside it, not after it; without that the page says so itself.
  import('./chart/time-chart.tsx').catch(() => undefined)
  return { default: (await import('./features/system/system-page.tsx')).SystemPage }
})
const LoginPage = lazy(async () => ({ default: (await import('./features/login/login-page.tsx')).LoginPage }))
const EntryPages = lazy(async () => ({ default: (await import('./features/login/entry-pages.tsx')).EntryPages }))
const OtherPages = lazy(async () => ({ default: (await import('./other-pages.tsx')).OtherPages }))
const SystemDialog = lazy(async () => ({ default: (await import('./features/system-dialogs/system-dialog.tsx')).SystemDialog }))
const loadPalette = () => import('./features/command-palette/command-palette.tsx')
const CommandPalette = lazy(async () => ({ default: (await loadPalette()).CommandPalette }))
// What cannot be loaded now is tried again, and told, when it is wanted.
const preloadPalette = () => void loadPalette().catch(() => undefined)

/** The login screen stands alone on every path, except where a forgotten password is asked for. */
export function SignedOutPages() {
  return (
    <Switch>
      <Route path={routePatterns.entry} component={EntryPages} />
      <Route component={LoginPage} />
    </Switch>
  )
}

export function SignedInPages({ user }: { user: SignedInUser }) {
  useStartUp()
  // What is broken stays behind when another page is opened.
  const [path] = useLocation()
  // The router decodes an address, and leaves what could separate parts of it.
  const systemName = systemIn(location.pathname)
  // What is drawn in other units is drawn anew.
  const written = JSON.stringify({ ...useSettings(), columns: undefined })
  const [dialog, setDialog] = useState<SystemDialogRequest>()
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  usePaletteKey(
    useCallback(() => setPaletteOpen((isOpen) => !isOpen), []),
    preloadPalette,
  )
  const addSystem = () => setDialog({ kind: 'add', draft: emptyDraft, refused: {} })

  return (
    <>
      <TopBar user={user} onSearch={() => setPaletteOpen(true)} onBeforeSearch={preloadPalette} onAddSystem={addSystem} />
      <ErrorBoundary key={path} renderError={(error) => <BrokenPage error={error} />}>
        <Suspense fallback={<Waiting />}>
          <Switch>
            <Route path={routePatterns.home}>
              <FleetPage key={written} user={user} onAddSystem={addSystem} onDialog={setDialog} />
            </Route>
            <Route path={routePatterns.system}>
              <SystemPage key={`${systemName} ${written}`} name={systemName} onDialog={setDialog} />
            </Route>
            <Route path={routePatterns.entry} component={EntryPages} />
            <Route>
              <OtherPages user={user} />
            </Route>
          </Switch>
        </Suspense>
        <Suspense>
          {isPaletteOpen && <CommandPalette user={user} onClose={() => setPaletteOpen(false)} onAddSystem={addSystem} />}
          {dialog !== undefined && (
            <SystemDialog
              key={dialog.kind}
              request={dialog}
              user={user}
              onClose={() => setDialog(undefined)}
              onReopen={(draft, refused) => setDialog({ kind: 'add', draft, refused })}
            />
          )}
        </Suspense>
      </ErrorBoundary>
    </>
  )
}

const Waiting = () => (
  <main className="flex flex-1">
    <Spinner label={words.loading()} />
  </main>
)
