import { Route, Switch } from 'wouter'
import type { SignedInUser } from './api/client.ts'
import { routePatterns } from './paths.ts'
import { onDemand } from './ui/on-demand.tsx'
import { WaitingPage } from './waiting-page.tsx'

const SettingsPage = onDemand(async () => (await import('./features/settings/settings-page.tsx')).SettingsPage, WaitingPage)
const AccessPage = onDemand(async () => (await import('./features/settings/access/access-page.tsx')).AccessPage, WaitingPage)
const AlertsPage = onDemand(async () => (await import('./features/alerts/alerts-page.tsx')).AlertsPage, WaitingPage)
const ComparePage = onDemand(async () => (await import('./features/system/compare/compare-page.tsx')).ComparePage, WaitingPage)
const NotFoundPage = onDemand(async () => (await import('./features/not-found/not-found-page.tsx')).NotFoundPage, WaitingPage)

/**
 * React component: renders the rarely used page (settings, access, alerts, comparison, not found) that the URL names. These pages share a
 * code chunk.
 */
export const OtherPages = ({ user }: { user: SignedInUser }) => (
  <Switch>
    <Route path={routePatterns.settings}>
      <SettingsPage user={user} />
    </Route>
    {/* For others, the address leads nowhere. The hub refuses them the data too. */}
    {user.role === 'admin' && <Route path={routePatterns.access} component={AccessPage} />}
    <Route path={routePatterns.alerts} component={AlertsPage} />
    <Route path={routePatterns.compare} component={ComparePage} />
    <Route component={NotFoundPage} />
  </Switch>
)
