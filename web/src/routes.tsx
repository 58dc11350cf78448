import { lazy, Suspense, useState } from 'react'
import { Route, Switch, useLocation } from 'wouter'
import { signedInUser, type SignedInUser } from './api/client.ts'
import { basePath } from './base-path.ts'
import { BrokenPage } from './broken-page.tsx'
import type { ReopenedDraft } from './features/system-dialogs/add-system-dialog.tsx'
import { TopBar } from './features/top-bar/top-bar.tsx'
import { LoadedPart } from './navigation/loaded-part.tsx'
import { useDialog } from './navigation/use-dialog.ts'
import { paths, routePatterns, systemIn } from './paths.ts'
import { ErrorBoundary } from './ui/error-boundary.tsx'
import { Spinner } from './ui/spinner.tsx'
import { usePaletteKey } from './use-palette-key.ts'
import { useStartUp } from './use-start-up.ts'
import * as words from './words/messages.js'

const loadFleetPage = () => import('./features/fleet/fleet-page.tsx')
const loadSystemPage = () => {
  // The chart library is fetched beside the page, not after it. If that fails, the page says so.
  import('./chart/time-chart.tsx').catch(() => undefined)
  return import('./features/system/system-page.tsx')
}
const FleetPage = lazy(async () => ({ default: (await loadFleetPage()).FleetPage }))
const SystemPage = lazy(async () => ({ default: (await loadSystemPage()).SystemPage }))
const LoginPage = lazy(async () => ({ default: (await import('./features/login/login-page.tsx')).LoginPage }))
const EntryPages = lazy(async () => ({ default: (await import('./features/login/entry-pages.tsx')).EntryPages }))
const OtherPages = lazy(async () => ({ default: (await import('./other-pages.tsx')).OtherPages }))
const SystemDialog = lazy(async () => ({ default: (await import('./features/system-dialogs/system-dialog.tsx')).SystemDialog }))
const loadPalette = () => import('./features/command-palette/command-palette.tsx')
const CommandPalette = lazy(async () => ({ default: (await loadPalette()).CommandPalette }))
// A failed preload is tried again, and reported, when the palette opens.
const preloadPalette = () => void loadPalette().catch(() => undefined)

/** Fetches the page at the address beside the first drawing of the bar above it. A failure is tried again, and reported, when the page is shown. */
export function preloadPage(): void {
  if (signedInUser() === undefined) return
  const path = location.pathname.slice(basePath.length)
  const loading = path === paths.home ? loadFleetPage() : path.startsWith(paths.system('')) ? loadSystemPage() : undefined
  loading?.catch(() => undefined)
}

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
  // An error is reset when another page is opened.
  const [path] = useLocation()
  // The router decodes an address, and leaves what could separate parts of it.
  const systemName = systemIn(location.pathname)
  const { dialog, item, open, close, isPaletteOpen, togglePalette } = useDialog()
  usePaletteKey(togglePalette, preloadPalette)
  const [reopened, setReopened] = useState<ReopenedDraft>()
  const addSystem = () => {
    setReopened(undefined)
    open('add')
  }

  return (
    <>
      <TopBar user={user} onSearch={togglePalette} onBeforeSearch={preloadPalette} onAddSystem={addSystem} />
      <ErrorBoundary resetKey={path} renderError={(error) => <BrokenPage error={error} />}>
        <Suspense fallback={<Waiting />}>
          <Switch>
            <Route path={routePatterns.home}>
              <FleetPage user={user} onAddSystem={addSystem} onDialog={open} />
            </Route>
            <Route path={routePatterns.system}>
              <SystemPage name={systemName} onDialog={open} />
            </Route>
            <Route path={routePatterns.entry} component={EntryPages} />
            <Route>
              <OtherPages user={user} />
            </Route>
          </Switch>
        </Suspense>
        <LoadedPart resetKey={`${isPaletteOpen} ${dialog}`}>
          {isPaletteOpen && <CommandPalette user={user} onClose={togglePalette} onAddSystem={addSystem} />}
          {isSystemDialog(dialog) && (
            <SystemDialog
              key={`${dialog} ${item}`}
              kind={dialog}
              systemId={item}
              user={user}
              reopened={reopened}
              onClose={close}
              onReopen={(draft) => {
                setReopened(draft)
                open('add')
              }}
            />
          )}
        </LoadedPart>
      </ErrorBoundary>
    </>
  )
}

const systemDialogs = ['add', 'edit', 'delete', 'alerts'] as const

const isSystemDialog = (dialog: string): dialog is (typeof systemDialogs)[number] => systemDialogs.some((one) => one === dialog)

const Waiting = () => (
  <main className="flex flex-1">
    <Spinner label={words.loading()} />
  </main>
)
