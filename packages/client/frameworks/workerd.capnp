using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "worker", worker = .worker),
    # The mock is on this machine.
    (name = "internet", network = (allow = ["private"])),
  ],
);

const worker :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker/worker.js")],
  bindings = [
    (name = "MOCK_URL", fromEnvironment = "MOCK_URL"),
    (name = "WEBHOOK_SECRET", fromEnvironment = "WEBHOOK_SECRET"),
    (name = "WEBHOOK_MESSAGES", fromEnvironment = "WEBHOOK_MESSAGES"),
  ],
  compatibilityDate = "2026-01-01",
);
