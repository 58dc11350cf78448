import { useState } from 'react'
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
import { onDemand } from './ui/on-demand.tsx'
import { usePaletteKey } from './use-palette-key.ts'
import { useStartUp } from './use-start-up.ts'
import { WaitingPage } from './waiting-page.tsx'

const FleetPage = onDemand(async () => (await import('./features/fleet/fleet-page.tsx')).FleetPage, WaitingPage)
const SystemPage = onDemand(async () => {
  // The chart library loads in parallel with the page. If that fails, the page reports it.
  import('./chart/time-chart.tsx').catch(() => undefined)
  return (await import('./features/system/system-page.tsx')).SystemPage
}, WaitingPage)
const LoginPage = onDemand(async () => (await import('./features/login/login-page.tsx')).LoginPage, WaitingPage)
const EntryPages = onDemand(async () => (await import('./features/login/entry-pages.tsx')).EntryPages, WaitingPage)
const OtherPages = onDemand(async () => (await import('./other-pages.tsx')).OtherPages, WaitingPage)
const SystemDialog = onDemand(async () => (await import('./features/system-dialogs/system-dialog.tsx')).SystemDialog)
const CommandPalette = onDemand(async () => (await import('./features/command-palette/command-palette.tsx')).CommandPalette)

/**
 * Starts to load the code of All Systems or a system page, if the current URL is one, while the top bar renders. Does nothing without a
 * session. Errors are ignored here; the page itself loads the code again and reports them.
 */
export function preloadPage(): void {
  if (signedInUser() === undefined) return
  const path = location.pathname.slice(basePath.length)
  if (path === paths.home) FleetPage.preload()
  else if (path.startsWith(paths.system(''))) SystemPage.preload()
}

/**
 * React component: routes of the dashboard without a session: the pages for a forgotten password and for links in emails and messages, and
 * the sign-in page for all other URLs.
 */
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
  // An error is discarded when another page is opened.
  const [path] = useLocation()
  // The router decodes paths incompletely: it keeps encoded separators.
  const systemName = systemIn(location.pathname)
  const { dialog, item, open, close, isPaletteOpen, togglePalette } = useDialog()
  usePaletteKey(togglePalette, CommandPalette.preload)
  const [reopened, setReopened] = useState<ReopenedDraft>()
  const addSystem = () => {
    setReopened(undefined)
    open('add')
  }

  return (
    <>
      <TopBar user={user} onSearch={togglePalette} onBeforeSearch={CommandPalette.preload} onAddSystem={addSystem} />
      <ErrorBoundary resetKey={path} renderError={(error) => <BrokenPage error={error} />}>
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

const systemDialogs = ['add', 'edit', 'delete', 'alerts', 'tags'] as const

const isSystemDialog = (dialog: string): dialog is (typeof systemDialogs)[number] => systemDialogs.some((one) => one === dialog)
