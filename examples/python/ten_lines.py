import rnnalf

run = rnnalf.extract("examples/networks/tomita6_gru100.onnx", time_limit=10)
print(run.finding)
print(run.dfa, "- 0110 is", "accepted" if run.dfa.accepts("0110") else "rejected")
print("the network leaves it on", run.exceptions[0].word)
print("agreement on words of 20, 40 and 100 symbols:", run.agreement.shares[[19, 39, 99]].round(3))
run.save("build/tomita6.html")

modulo = rnnalf.acceptor([0.0], lambda s, a: (s + a[:, None]) % 3, lambda s: s[:, 0] == 0, alphabet="ab")
print(rnnalf.extract(modulo).dfa)
