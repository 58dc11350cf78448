import { App } from './app.tsx'
import { preloadPage } from './routes.tsx'
import { startPage } from './start-page.tsx'
import './styles/index.css'

preloadPage()
startPage(<App />)
