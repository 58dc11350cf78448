import { lazy } from 'react'
import { Route, Switch } from 'wouter'
import type { SignedInUser } from './api/client.ts'
import { routePatterns } from './paths.ts'

const SettingsPage = lazy(async () => ({ default: (await import('./features/settings/settings-page.tsx')).SettingsPage }))
const AlertsPage = lazy(async () => ({ default: (await import('./features/alerts/alerts-page.tsx')).AlertsPage }))
const ComparePage = lazy(async () => ({ default: (await import('./features/system/compare/compare-page.tsx')).ComparePage }))
const NotFoundPage = lazy(async () => ({ default: (await import('./features/not-found/not-found-page.tsx')).NotFoundPage }))

/** The pages that few visits open: what loads them is loaded with the first. */
export const OtherPages = ({ user }: { user: SignedInUser }) => (
  <Switch>
    <Route path={routePatterns.settings}>
      <SettingsPage user={user} />
    </Route>
    <Route path={routePatterns.alerts} component={AlertsPage} />
    <Route path={routePatterns.compare} component={ComparePage} />
    <Route component={NotFoundPage} />
  </Switch>
)
