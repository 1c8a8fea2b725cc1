// What tests share: a frozen world, a stub transport, a whole house.
