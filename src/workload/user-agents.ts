/** Products that probe whether a service lives. */
const HEALTH_CHECKERS =
  /kube-probe|elb-healthchecker|googlehc|consul health|haproxy|uptime|pingdom|statuscake|site24x7|nagios|check_http|zabbix|blackbox|blackbox-exporter|healthcheck|health-check/i;

/** Words by which crawlers name themselves, and tools that no user sits in front of. */
const ROBOTS =
  /bot\b|bot[/_-]|crawl|spider|slurp|archiver|scrap|fetcher|feed|monitor|preview|facebookexternalhit|mediapartners|lighthouse|headless|phantomjs|validator|curl\/|wget\/|libwww|lwp|python-(?:requests|urllib)|httpie|tiny tiny rss|universalfeedparser|masscan|nmap|nikto|sqlmap|zgrab|acunetix/i;

/** What a user agent says that it is; most say nothing that sets them apart. */
export function agentKind(agent: string): 'health-check' | 'bot' | undefined {
  if (HEALTH_CHECKERS.test(agent)) return 'health-check';
  return ROBOTS.test(agent) ? 'bot' : undefined;
}

/** Browsers, and those who pretend to be one, begin with this word (RFC 9110 §10.1.5 calls it history). */
export const claimsToBeBrowser = (agent: string): boolean => agent.startsWith('Mozilla/');
