/** What is asked of a file that places agents. */
export interface Placing {
  readonly agents: number;
  /** Missing: a name to be replaced. */
  readonly image?: string;
}

const IMAGE = 'registry.example.com/shipload:latest';
const BROKER_IMAGE = 'docker.io/library/nats:2.11';
/** Below it lie the permissions of an agent's user: each agent proves the service by its own. */
const CONFIG = '/config';
/** How long an agent waits for a broker that is started beside it. */
const BROKER_WAIT = '10m';

/** A file that starts a broker and agents beside it; what it leaves to its reader it says in comments. */
export function agentManifest(kind: 'k8s' | 'compose', { agents, image = IMAGE }: Placing): string {
  return kind === 'k8s' ? kubernetesManifest(agents, image) : composeFile(agents, image);
}

function kubernetesManifest(agents: number, image: string): string {
  return `# A broker and ${agents} load agents, one core each. For Kubernetes 1.29 and later. Before:
#   shipload agent --make-key team
#   shipload allow URL --rate N --until DATE
#   kubectl create configmap shipload-trust --from-file=team.pub
#   kubectl create secret generic shipload-permissions \\
#     --from-file=permissions.json="\${XDG_CONFIG_HOME:-$HOME/.config}/shipload/permissions.json"
#   kubectl apply -f agents.yaml
#   kubectl port-forward service/shipload-broker 4222 &
#   shipload run … --url URL --agents ${agents} --nats nats://127.0.0.1:4222 --sign team.key
# URL is one that leads the pods and the machine with the last command to the same addresses: each proves it by these
# permissions. For a service that only the cluster reaches, give the last command in a pod.
# The broker stands in the cluster alone and in the clear: give it credentials and TLS (--creds, --tls-ca) where others
# can reach it.
apiVersion: v1
kind: Service
metadata:
  name: shipload-broker
spec:
  selector:
    app: shipload-broker
  ports:
    - port: 4222
---
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: shipload-broker
spec:
  serviceName: shipload-broker
  replicas: 1
  selector:
    matchLabels:
      app: shipload-broker
  template:
    metadata:
      labels:
        app: shipload-broker
    spec:
      containers:
        - name: nats
          image: ${BROKER_IMAGE}
          args: ['--jetstream', '--store_dir=/data']
          ports:
            - containerPort: 4222
          volumeMounts:
            - name: data
              mountPath: /data
  volumeClaimTemplates:
    - metadata:
        name: data
      spec:
        accessModes: ['ReadWriteOnce']
        resources:
          requests:
            storage: 1Gi
---
apiVersion: batch/v1
kind: Job
metadata:
  name: shipload-agents
spec:
  completionMode: Indexed
  completions: ${agents}
  parallelism: ${agents}
  # An agent that is lost in a run is not replaced: the run has marked its step, and another start is another run.
  # The limit is of each index, since one of the whole Job would end the others with it.
  backoffLimitPerIndex: 0
  template:
    metadata:
      labels:
        app: shipload-agent
    spec:
      restartPolicy: Never
      terminationGracePeriodSeconds: 60
      # Agents on one machine would share its network card and its ports.
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              app: shipload-agent
      containers:
        - name: agent
          image: ${image}
          command:
            - shipload
            - agent
            - --nats=nats://shipload-broker:4222
            - --trust=/trust/team.pub
            - --name=agent-$(JOB_COMPLETION_INDEX)
            - --once
            # The broker's image and volume may take longer than the agents.
            - --agents-timeout=${BROKER_WAIT}
          env:
            - name: XDG_CONFIG_HOME
              value: ${CONFIG}
            - name: JOB_COMPLETION_INDEX
              valueFrom:
                fieldRef:
                  fieldPath: metadata.annotations['batch.kubernetes.io/job-completion-index']
          # A whole core, asked for and no more: a quota below it would send requests late.
          resources:
            requests:
              cpu: '1'
              memory: 512Mi
            limits:
              cpu: '1'
              memory: 512Mi
          volumeMounts:
            - name: trust
              mountPath: /trust
              readOnly: true
            - name: permissions
              mountPath: ${CONFIG}/shipload
              readOnly: true
      volumes:
        - name: permissions
          secret:
            secretName: shipload-permissions
        - name: trust
          configMap:
            name: shipload-trust
`;
}

function composeFile(agents: number, image: string): string {
  return `# A broker and ${agents} load agents on one machine. Before:
#   shipload agent --make-key team
#   shipload allow URL --rate N --until DATE
#   cp "\${XDG_CONFIG_HOME:-$HOME/.config}/shipload/permissions.json" .
#   docker compose -f agents.yaml up -d
#   shipload run … --url URL --agents ${agents} --nats nats://127.0.0.1:4222 --sign team.key
# URL names the service by an address that the containers reach it by, not by loopback: each proves it by these
# permissions.
services:
  broker:
    image: ${BROKER_IMAGE}
    command: ['--jetstream', '--store_dir=/data']
    ports:
      - '127.0.0.1:4222:4222'
    volumes:
      - data:/data

  agent:
    image: ${image}
    command:
      - shipload
      - agent
      - --nats=nats://broker:4222
      - --trust=/trust/team.pub
      - --agents-timeout=${BROKER_WAIT}
    environment:
      XDG_CONFIG_HOME: ${CONFIG}
    depends_on:
      - broker
    # What a run goes on with when an agent ends is for the run to say: it is not started again.
    restart: 'no'
    stop_grace_period: 60s
    volumes:
      - ./team.pub:/trust/team.pub:ro
      - ./permissions.json:${CONFIG}/shipload/permissions.json:ro
    deploy:
      replicas: ${agents}
      resources:
        limits:
          cpus: '1'

volumes:
  data: {}
`;
}
